/** One value, or one for each set of labels. */
export type GaugeValue = number | { labels: Record<string, string>; value: number }[];

/** Metrics of one process, shown on the admin listener. Names start with `rollcall_`. */
export interface Metrics {
  counter(name: string, help: string, labels?: readonly string[]): { inc(labels?: Record<string, string>, by?: number): void };
  gauge(name: string, help: string, read: () => GaugeValue | Promise<GaugeValue>, labels?: readonly string[]): void;
  histogram(
    name: string,
    help: string,
    labels: readonly string[],
    buckets?: readonly number[],
  ): { observe(labels: Record<string, string>, value: number): void };
}
