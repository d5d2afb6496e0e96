import type { Broker, Clock, Metrics } from "#core/ports/index.ts";

/** Adds metrics to a broker: whether it is up, appended messages by outcome, and the duration of appends. */
export function metered(broker: Broker, metrics: Metrics, clock: Clock): Broker {
  metrics.gauge("rollcall_broker_up", "1 while the broker can be used", () => (broker.state().up ? 1 : 0));
  const appends = metrics.counter("rollcall_broker_appends_total", "Messages appended to streams", ["outcome"]);
  const published = metrics.counter("rollcall_broker_published_total", "Messages published to subscribers");
  const seconds = metrics.histogram("rollcall_broker_append_seconds", "Time until a message was stored", []);
  const handled = metrics.counter("rollcall_broker_handled_total", "Messages delivered to stream consumers", [
    "stream",
    "outcome",
  ]);
  const counted: Pick<Broker, "append" | "publish" | "consume"> = {
    append: async (subject, data, options) => {
      const start = clock.monotonic();
      try {
        const result = await broker.append(subject, data, options);
        appends.inc({ outcome: result.duplicate ? "duplicate" : "stored" });
        return result;
      } catch (error) {
        appends.inc({ outcome: "failed" });
        throw error;
      } finally {
        seconds.observe({}, (clock.monotonic() - start) / 1000);
      }
    },
    publish: async (subject, data) => {
      published.inc();
      await broker.publish(subject, data);
    },
    consume: (stream, options, handler) =>
      broker.consume(stream, options, async (message) => {
        try {
          await handler(message);
          handled.inc({ stream, outcome: "done" });
        } catch (error) {
          handled.inc({ stream, outcome: "failed" });
          throw error;
        }
      }),
  };
  return {
    kind: broker.kind,
    state: () => broker.state(),
    onStateChange: (listener) => broker.onStateChange(listener),
    subscribe: (subject, handler) => broker.subscribe(subject, handler),
    ensureStream: (definition) => broker.ensureStream(definition),
    streamInfo: (stream) => broker.streamInfo(stream),
    read: (stream, fromSeq, limit) => broker.read(stream, fromSeq, limit),
    bucket: (name, options) => broker.bucket(name, options),
    close: () => broker.close(),
    ...counted,
  };
}
