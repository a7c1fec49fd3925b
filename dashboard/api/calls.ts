import type { z } from 'zod';

type Sent<Route, Part extends string> =
  Route extends Record<Part, infer Schema extends z.ZodType> ? z.input<Schema> : unknown;

type Input<Route> = Sent<Route, 'body'> & Sent<Route, 'query'>;

type Output<Route> = Route extends { responses: { 200: infer Schema extends z.ZodType } }
  ? z.output<Schema>
  : never;

/** A function for every endpoint of a contract: takes what it is sent, gives what it answers with 200. */
export type Calls<Contract> = {
  readonly [Area in keyof Contract]: {
    readonly [Name in keyof Contract[Area]]: Call<Contract[Area][Name]>;
  };
};

type Call<Route> =
  unknown extends Input<Route>
    ? () => Promise<Output<Route>>
    : {} extends Input<Route>
      ? (input?: Input<Route>) => Promise<Output<Route>>
      : (input: Input<Route>) => Promise<Output<Route>>;
