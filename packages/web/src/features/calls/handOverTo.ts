import type { Call } from "./calls.queries.ts";

interface Job {
  readonly value: string;
  readonly label: string;
}

/** Jobs that can be asked to take a call over from the own one: those that may be called, and those that work it or see it. The server says which one dispatches it already. */
export function jobsToAsk(
  own: string,
  jobs: Call["jobs"],
  callable: readonly { readonly job: string; readonly label: string }[],
): Job[] {
  const all = [
    ...callable.map(({ job, label }) => ({ value: job, label })),
    ...jobs.map(({ name, label }) => ({ value: name, label })),
  ];
  return all.filter(({ value }, at) => value !== own && all.findIndex((one) => one.value === value) === at);
}
