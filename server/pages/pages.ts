import type { FastifyPluginAsync } from 'fastify';
import { surface } from '../http/surface.ts';
import { refuseOtherHosts } from '../http/access/own-host.ts';
import type { PageDependencies } from './dependencies.ts';
import { confirmationPages } from './confirmation.ts';
import { answerInPages } from '../http/answers/page.ts';
import { landing } from './landing/routes.ts';
import { sitePages } from './site/routes.ts';
import { SiteAnswers } from './site/site-answers.ts';
import { wellKnown } from './well-known.ts';

/** Pages for people, in HTML without scripts. */
export function pages(dependencies: PageDependencies): FastifyPluginAsync {
  return surface(async (scope) => {
    answerInPages(scope, dependencies);
    scope.addHook('onRequest', refuseOtherHosts(dependencies));
    // Forms here hold nothing but a button: no body is read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    confirmationPages(scope, dependencies);
    const answers = new SiteAnswers(scope, dependencies);
    sitePages(scope, dependencies, answers);
    await landing(scope, dependencies, answers);
    wellKnown(scope, dependencies);
  });
}
