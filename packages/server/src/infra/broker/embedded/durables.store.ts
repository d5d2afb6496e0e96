import type { Database, Statement } from "better-sqlite3";
import type { StreamMessage } from "#core/ports/index.ts";
import { Refused } from "./refused.ts";
import type { StreamStore } from "./streams.store.ts";

/** Durable consumers in the file: the position of each, and its unacknowledged messages. */
export class DurableStore {
  readonly #streams: StreamStore;
  readonly #taken: Statement;
  readonly #setTaken: Statement;
  readonly #due: Statement;
  readonly #nextDue: Statement;
  readonly #redeliver: Statement;
  readonly #addPending: Statement;
  readonly #ack: Statement;
  readonly #nak: Statement;
  readonly #release: Statement;

  constructor(db: Database, streams: StreamStore) {
    this.#streams = streams;
    const own = "stream = ? and durable = ?";
    this.#taken = db.prepare("select taken from durables where stream = ? and name = ?").pluck();
    this.#setTaken = db.prepare("insert or replace into durables (stream, name, taken) values (?, ?, ?)");
    this.#due = db.prepare(
      `select m.seq, m.subject, m.id, m.data, m.at, p.attempt + 1 as attempt from pending p
       join messages m on m.stream = p.stream and m.seq = p.seq
       where p.stream = ? and p.durable = ? and p.due <= ? order by p.seq limit ?`,
    );
    this.#nextDue = db.prepare(`select min(due) from pending where ${own} and due is not null`).pluck();
    this.#redeliver = db.prepare(`update pending set due = null, attempt = attempt + 1 where ${own} and seq = ?`);
    this.#addPending = db.prepare("insert into pending (stream, durable, seq, attempt, due) values (?, ?, ?, 1, null)");
    this.#ack = db.prepare(`delete from pending where ${own} and seq = ?`);
    this.#nak = db.prepare(`update pending set due = ? where ${own} and seq = ?`);
    this.#release = db.prepare(`update pending set due = ? where ${own} and due is null`);
  }

  open(now: number, stream: string, durable: string, start: "new" | "all" | { readonly seq: number }): void {
    this.#release.run(now, stream, durable);
    if (this.#taken.get(stream, durable) !== undefined) return;
    const { first, last } = this.#streams.info(stream);
    if (typeof start === "object" && (start.seq < first || start.seq > last + 1)) {
      throw new Refused("position", `${stream} contains ${first} to ${last}: it cannot be read from ${start.seq}`);
    }
    const taken = start === "new" ? last : start === "all" ? first - 1 : start.seq - 1;
    this.#setTaken.run(stream, durable, taken);
  }

  take(now: number, stream: string, durable: string, limit: number): { messages: StreamMessage[]; due: number | null } {
    const redelivered = this.#due.all(stream, durable, now, limit) as StreamMessage[];
    for (const m of redelivered) this.#redeliver.run(stream, durable, m.seq);
    // A stream that was created again lost its consumers: they start at its first message.
    const taken = (this.#taken.get(stream, durable) as number | undefined) ?? 0;
    const fresh = redelivered.length < limit ? this.#streams.read(stream, taken + 1, limit - redelivered.length) : [];
    for (const m of fresh) this.#addPending.run(stream, durable, m.seq);
    const last = fresh.at(-1);
    if (last) this.#setTaken.run(stream, durable, last.seq);
    return { messages: [...redelivered, ...fresh], due: this.#nextDue.get(stream, durable) as number | null };
  }

  ack(stream: string, durable: string, seq: number): void {
    this.#ack.run(stream, durable, seq);
  }

  nak(stream: string, durable: string, seq: number, due: number): void {
    this.#nak.run(due, stream, durable, seq);
  }
}
