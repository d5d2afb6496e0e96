/** One declared error: its HTTP status and the parameters of its message. */
export interface ErrorDefinition {
  readonly code: string;
  readonly status: number;
  readonly params: readonly string[];
}

type Declared = Record<string, { status: number; params?: readonly string[] }>;

export type ErrorSet<F extends string, D extends Declared> = {
  readonly [K in keyof D & string]: ErrorDefinition & { readonly code: `${F}.${K}` };
};

/**
 * Declares the errors of one feature. The code is `<feature>.<name>`; its message is in
 * `<feature>.text.{en,de}.json` under `errors.<name>`.
 */
export function defineErrors<const F extends string, const D extends Declared>(feature: F, declared: D): ErrorSet<F, D> {
  const entries = Object.entries(declared).map(([name, d]) => [
    name,
    { code: `${feature}.${name}`, status: d.status, params: d.params ?? [] },
  ]);
  return Object.fromEntries(entries) as ErrorSet<F, D>;
}
