import type { Database, Statement } from "better-sqlite3";
import type { StreamDefinition, StreamInfo, StreamMessage } from "#core/ports/index.ts";
import { matches } from "../subjects.ts";
import { Refused } from "./refused.ts";

interface Stream {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAge: number;
  readonly maxBytes: number | null;
  readonly window: number;
  readonly epoch: string;
  last: number;
  bytes: number;
}

const columns = "seq, subject, id, data, at";

/** Streams in the file. Counters are kept in memory and written with each batch. */
export class StreamStore {
  readonly #db: Database;
  readonly #streams = new Map<string, Stream>();
  readonly #changed = new Set<Stream>();
  readonly #insert: Statement;
  readonly #remember: Statement;
  readonly #known: Statement;
  readonly #select: Statement;
  readonly #first: Statement;
  readonly #counters: Statement;

  constructor(db: Database) {
    this.#db = db;
    this.#insert = db.prepare("insert into messages (stream, seq, subject, id, at, size, data) values (?, ?, ?, ?, ?, ?, ?)");
    this.#remember = db.prepare("insert or replace into ids (stream, id, seq, at) values (?, ?, ?, ?)");
    this.#known = db.prepare("select seq from ids where stream = ? and id = ? and at > ?").pluck();
    this.#select = db.prepare(`select ${columns} from messages where stream = ? and seq >= ? order by seq limit ?`);
    this.#first = db.prepare("select min(seq) from messages where stream = ?").pluck();
    this.#counters = db.prepare("update streams set last = ?, bytes = ? where name = ?");
    this.reload();
  }

  /** Reads the counters again: after a rolled-back batch memory is ahead of the file. */
  reload(): void {
    this.#streams.clear();
    this.#changed.clear();
    const rows = this.#db
      .prepare("select name, subjects, max_age as maxAge, max_bytes as maxBytes, window, epoch, last, bytes from streams")
      .all();
    for (const row of rows as Array<Omit<Stream, "subjects"> & { subjects: string }>) {
      this.#streams.set(row.name, { ...row, subjects: JSON.parse(row.subjects) as string[] });
    }
  }

  /** Writes the counters, at the end of the batch's transaction. */
  flush(): void {
    for (const stream of this.#changed) this.#counters.run(stream.last, stream.bytes, stream.name);
    this.#changed.clear();
  }

  ensure(now: number, d: StreamDefinition): void {
    this.#dropOtherGeneration(d);
    const have = this.#streams.get(d.name);
    const stream: Stream = {
      name: d.name,
      subjects: d.subjects,
      maxAge: d.maxAgeMs,
      maxBytes: d.maxBytes ?? null,
      window: d.duplicateWindowMs,
      epoch: have?.epoch ?? this.#newEpoch(now),
      last: have?.last ?? 0,
      bytes: have?.bytes ?? 0,
    };
    this.#db
      .prepare(
        "insert or replace into streams (name, subjects, max_age, max_bytes, window, epoch, last, bytes) values (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        d.name,
        JSON.stringify(d.subjects),
        stream.maxAge,
        stream.maxBytes,
        stream.window,
        stream.epoch,
        stream.last,
        stream.bytes,
      );
    this.#streams.set(d.name, stream);
  }

  #dropOtherGeneration({ name, generation }: StreamDefinition): void {
    if (generation === undefined) return;
    const key = `generation ${name}`;
    const known = this.#db.prepare("select value from meta where name = ?").pluck().get(key) as string | undefined;
    if (known === generation) return;
    this.drop(name);
    this.#db.prepare("insert or replace into meta (name, value) values (?, ?)").run(key, generation);
  }

  /** Time alone could repeat when a stream is dropped and created within a millisecond. */
  #newEpoch(now: number): string {
    const count = this.#db
      .prepare(
        "insert into meta (name, value) values ('epochs', '1') on conflict (name) do update set value = value + 1 returning value",
      )
      .pluck()
      .get() as string;
    return `${now.toString(36)}-${Number(count).toString(36)}`;
  }

  drop(name: string): void {
    for (const table of ["messages", "ids", "durables", "pending"]) {
      this.#db.prepare(`delete from ${table} where stream = ?`).run(name);
    }
    this.#db.prepare("delete from streams where name = ?").run(name);
    this.#streams.delete(name);
  }

  append(now: number, subject: string, data: Uint8Array, id: string): { stream: string; seq: number; duplicate: boolean } {
    const stream = [...this.#streams.values()].find((s) => s.subjects.some((p) => matches(p, subject)));
    if (!stream) throw new Refused("other", `no stream has the subject ${subject}`);
    const known = this.#known.get(stream.name, id, now - stream.window) as number | undefined;
    if (known !== undefined) return { stream: stream.name, seq: known, duplicate: true };
    const seq = stream.last + 1;
    this.#insert.run(stream.name, seq, subject, id, now, data.byteLength, data);
    this.#remember.run(stream.name, id, seq, now);
    stream.last = seq;
    stream.bytes += data.byteLength;
    this.#changed.add(stream);
    return { stream: stream.name, seq, duplicate: false };
  }

  info(name: string): StreamInfo {
    const stream = this.#get(name);
    const first = this.#first.get(name) as number | null;
    return { epoch: stream.epoch, first: first ?? stream.last + 1, last: stream.last };
  }

  read(name: string, fromSeq: number, limit: number): StreamMessage[] {
    const rows = this.#select.all(name, fromSeq, limit) as Array<Omit<StreamMessage, "attempt">>;
    return rows.map((row) => ({ ...row, attempt: 1 }));
  }

  /** Deletes messages over the age and size limits, oldest first. */
  sweep(now: number): void {
    for (const stream of this.#streams.values()) {
      this.#db.prepare("delete from ids where stream = ? and at <= ?").run(stream.name, now - stream.window);
      this.#trim(
        stream,
        this.#db
          .prepare("select max(seq) from messages where stream = ? and at < ?")
          .pluck()
          .get(stream.name, now - stream.maxAge),
      );
      if (stream.maxBytes === null || stream.bytes <= stream.maxBytes) continue;
      const rows = this.#db.prepare("select seq, size from messages where stream = ? order by seq").iterate(stream.name);
      let over = stream.bytes - stream.maxBytes;
      let upTo: number | null = null;
      for (const row of rows as IterableIterator<{ seq: number; size: number }>) {
        if (over <= 0) break;
        over -= row.size;
        upTo = row.seq;
      }
      this.#trim(stream, upTo);
    }
  }

  #trim(stream: Stream, upTo: unknown): void {
    if (typeof upTo !== "number") return;
    const size = this.#db.prepare("select coalesce(sum(size), 0) from messages where stream = ? and seq <= ?").pluck();
    stream.bytes -= size.get(stream.name, upTo) as number;
    this.#db.prepare("delete from messages where stream = ? and seq <= ?").run(stream.name, upTo);
    this.#db.prepare("delete from pending where stream = ? and seq <= ?").run(stream.name, upTo);
    this.#changed.add(stream);
  }

  #get(name: string): Stream {
    const stream = this.#streams.get(name);
    if (!stream) throw new Refused("other", `there is no stream ${name}`);
    return stream;
  }
}
