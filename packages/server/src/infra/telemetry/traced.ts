import type { ScheduleHandler } from "#core/feature.ts";
import type { Broker, DatabaseKind, Outgoing, OutgoingAnswer, TopicBinding, Tracing } from "#core/ports/index.ts";
import type { StatementEvent } from "#infra/db/unit.ts";

/** Largest number of characters of a statement in a span. */
const shownLength = 2000;

/** The first word and the first table of a statement, such as `SELECT citizens`. */
function summaryOf(sql: string): string {
  const operation = /^\W*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? "SQL";
  const table = /\b(?:from|into|update|join)\s+["`]?(\w+)/i.exec(sql)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}

/** Adds spans for statements of traced units of work, without their values. */
export function traceStatements(tracing: Tracing, kind: DatabaseKind) {
  return ({ unit, sql, ms, rows, failed }: StatementEvent): void => {
    tracing.ended(summaryOf(sql), {
      kind: "client",
      ms,
      failed,
      attributes: {
        "db.system.name": kind,
        "db.query.text": sql.slice(0, shownLength),
        "rollcall.rows": rows,
        "rollcall.unit": unit,
      },
    });
  };
}

/** For `DatabaseOptions.around`: adds a span for each traced unit of work and snapshot. */
export function unitSpans(tracing: Tracing, kind: DatabaseKind) {
  return async <T>(mode: "read" | "write", name: string, work: () => Promise<T>): Promise<T> =>
    await tracing.span(
      name,
      { within: true, attributes: { "db.system.name": kind, "rollcall.unit": name, "rollcall.unit.mode": mode } },
      work,
    );
}

/** Wraps a broker: messages sent within a trace get a span. */
export function tracedBroker(broker: Broker, tracing: Tracing): Broker {
  if (!tracing.enabled) return broker;
  const sending = async <T>(operation: string, subject: string, send: () => Promise<T>): Promise<T> =>
    await tracing.span(
      `send ${subject}`,
      {
        kind: "producer",
        within: true,
        attributes: {
          "messaging.system": broker.kind === "nats" ? "nats" : "rollcall",
          "messaging.operation.name": operation,
          "messaging.destination.name": subject,
        },
      },
      send,
    );
  return {
    kind: broker.kind,
    state: () => broker.state(),
    onStateChange: (listener) => broker.onStateChange(listener),
    publish: async (subject, data) => await sending("publish", subject, async () => await broker.publish(subject, data)),
    subscribe: (subject, handler) => broker.subscribe(subject, handler),
    ensureStream: (definition) => broker.ensureStream(definition),
    append: async (subject, data, options) =>
      await sending("append", subject, async () => await broker.append(subject, data, options)),
    streamInfo: (stream) => broker.streamInfo(stream),
    read: (stream, fromSeq, limit) => broker.read(stream, fromSeq, limit),
    consume: (stream, options, handler) => broker.consume(stream, options, handler),
    bucket: (name, options) => broker.bucket(name, options),
    close: () => broker.close(),
  };
}

/** Wraps outgoing calls: each gets a span, and `traceparent` is sent to endpoints of config.yaml only. */
export function tracedOutgoing(outgoing: Outgoing, tracing: Tracing): Outgoing {
  if (!tracing.enabled) return outgoing;
  return {
    async request(given) {
      const { method = "GET", url, from } = given;
      const host = URL.canParse(url) ? new URL(url).hostname : "";
      const attributes = { "http.request.method": method, "server.address": host, "rollcall.address.from": from };
      return await tracing.span(method, { kind: "client", attributes }, async (span): Promise<OutgoingAnswer> => {
        const traceparent = from === "endpoint" ? tracing.traceparent() : null;
        const headers = traceparent === null ? given.headers : { ...given.headers, traceparent };
        const answer = await outgoing.request(headers === undefined ? given : { ...given, headers });
        span.set({ "http.response.status_code": answer.status });
        if (answer.status >= 400) span.fail(`HTTP ${answer.status}`);
        return answer;
      });
    },
  };
}

/** Wraps schedules: each run gets a trace of its own. */
export function tracedSchedules(schedules: readonly ScheduleHandler[], tracing: Tracing): readonly ScheduleHandler[] {
  if (!tracing.enabled) return schedules;
  return schedules.map((handler) => ({
    ...handler,
    run: async (payload, signal, report) =>
      await tracing.span(
        `job ${handler.schedule.id}`,
        { attributes: { "rollcall.job": handler.schedule.id } },
        async () => await handler.run(payload, signal, report),
      ),
  }));
}

/** Wraps topics: each authorization begins a trace. */
export function tracedTopics(topics: readonly TopicBinding[], tracing: Tracing): readonly TopicBinding[] {
  if (!tracing.enabled) return topics;
  return topics.map((binding) => ({
    ...binding,
    authorize: async (viewer, key) =>
      await tracing.span(
        `subscribe ${binding.topic.name}`,
        { kind: "server", attributes: { "rollcall.topic": binding.topic.name } },
        async (span) => {
          const grant = await binding.authorize(viewer, key);
          span.set({ "rollcall.topic.granted": grant !== null });
          return grant;
        },
      ),
  }));
}
