import type { JobHandler } from "#core/feature.ts";
import type { Broker, DatabaseKind, Outgoing, OutgoingAnswer, TopicBinding, Tracing } from "#core/ports/index.ts";
import type { StatementEvent } from "#infra/db/unit.ts";

/** Characters of a statement that a span carries. */
const shownLength = 2000;

/** The first word and the first table of a statement, such as `SELECT citizens`. */
function summaryOf(sql: string): string {
  const operation = /^\W*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? "SQL";
  const table = /\b(?:from|into|update|join)\s+["`]?(\w+)/i.exec(sql)?.[1];
  return table === undefined ? operation : `${operation} ${table}`;
}

/** Tells statements of units of work that belong to a trace; never their values. */
export function tellStatements(tracing: Tracing, kind: DatabaseKind) {
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

/** For `DatabaseOptions.around`: a span for each unit of work and snapshot of a trace. */
export function unitSpans(tracing: Tracing, kind: DatabaseKind) {
  return async <T>(mode: "read" | "write", name: string, work: () => Promise<T>): Promise<T> =>
    await tracing.span(
      name,
      { within: true, attributes: { "db.system.name": kind, "rollcall.unit": name, "rollcall.unit.mode": mode } },
      work,
    );
}

/** The same broker; what is sent inside a trace has a span. */
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

/** The same calls, each with a span. Who config.yaml names is told which trace it serves; nobody else is. */
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

/** The same jobs, each run a trace of its own. */
export function tracedJobs(jobs: readonly JobHandler[], tracing: Tracing): readonly JobHandler[] {
  if (!tracing.enabled) return jobs;
  return jobs.map((handler) => ({
    ...handler,
    run: async (payload, signal, tell) =>
      await tracing.span(
        `job ${handler.job.id}`,
        { attributes: { "rollcall.job": handler.job.id } },
        async () => await handler.run(payload, signal, tell),
      ),
  }));
}

/** The same topics; who subscribes, or is asked again for their rights, makes a trace. */
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
