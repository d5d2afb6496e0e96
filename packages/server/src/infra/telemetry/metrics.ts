import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "#core/ports/index.ts";

const latencyBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Metrics of this process in the Prometheus text format. */
export interface MetricsRegistry extends Metrics {
  readonly contentType: string;
  expose(): Promise<string>;
  /** Names and help of all declared metrics, for the generated list. */
  described(): readonly { name: string; help: string; type: string }[];
}

export function createMetrics(options: { process: boolean } = { process: true }): MetricsRegistry {
  const registry = new Registry();
  const known = new Map<string, { name: string; help: string; type: string }>();
  if (options.process) collectDefaultMetrics({ register: registry, prefix: "rollcall_" });

  const note = (name: string, help: string, type: string) => void known.set(name, { name, help, type });
  const existing = <T>(name: string): T | undefined => registry.getSingleMetric(name) as T | undefined;

  return {
    contentType: registry.contentType,
    expose: async () => await registry.metrics(),
    described: () => [...known.values()],
    counter(name, help, labels = []) {
      note(name, help, "counter");
      const metric = existing<Counter>(name) ?? new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      return { inc: (values = {}, by = 1) => metric.inc(values, by) };
    },
    gauge(name, help, read, labels = []) {
      note(name, help, "gauge");
      registry.removeSingleMetric(name);
      const gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        async collect() {
          const value = await read();
          if (typeof value === "number") return this.set(value);
          this.reset();
          for (const one of value) this.set(one.labels, one.value);
        },
      });
      void gauge;
    },
    histogram(name, help, labels, buckets = latencyBuckets) {
      note(name, help, "histogram");
      const metric =
        existing<Histogram>(name) ??
        new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] });
      return { observe: (values, value) => metric.observe(values, value) };
    },
  };
}
