/** Metrics of one process, shown on the admin listener. Names start with `rollcall_`. */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): { inc(labels?: Record<string, string>, by?: number): void };
  gauge(
    name: string,
    help: string,
    read: () => number | Promise<number> | Array<{ labels: Record<string, string>; value: number }>,
    labels?: readonly string[],
  ): void;
  histogram(
    name: string,
    help: string,
    labels: readonly string[],
    buckets?: readonly number[],
  ): { observe(labels: Record<string, string>, value: number): void };
}
