# npm packages, including the bundled Node and PostgreSQL.
FROM node:24-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM debian:trixie-slim
# A numeric user id shows Kubernetes that the user is not root. PostgreSQL needs the user name.
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin nameplate \
  && install -d -o 10001 -g 10001 -m 700 /data \
  && ln -s /app/bin/nameplate.js /usr/local/bin/nameplate
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
ENV PATH=/app/node_modules/.bin:$PATH HOST=0.0.0.0 DATA_DIR=/data NAMEPLATE_COMMAND="docker exec nameplate nameplate"
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--import", "./tools/needs-node.js", "--import", "./tools/compile-cache.js", "--import", "./server/process/env-file.ts", "server/main.ts"]
