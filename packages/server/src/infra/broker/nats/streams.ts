import { AckPolicy, DeliverPolicy, DiscardPolicy, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import type { JsMsg, StreamInfo as NatsStreamInfo } from "@nats-io/jetstream";
import { nanos, nuid } from "@nats-io/transport-node";
import {
  maxMessageBytes,
  MessageTooLarge,
  StreamPositionLost,
  type StreamDefinition,
  type StreamInfo,
  type StreamMessage,
} from "#core/ports/index.ts";
import { checkName, checkPattern, checkSubject } from "../subjects.ts";
import { isStreamMissing, isTooFewServers } from "./errors.ts";
import { type Connected, type NatsLink, tooFewServers } from "./link.ts";

const generationPattern = / \(generation (\w+)\)$/;
/** Also in the description, because servers before 2.10 have no other metadata. */
const databasePattern = /\(database (\w+)\)/;

/**
 * The creation time changes whenever the stream is created again. A stream restored from a snapshot
 * keeps it, so the process that notices the restore appends a generation to the description.
 */
function epochOf(info: NatsStreamInfo): string {
  const created = String(info.created).replaceAll(/[^0-9]/g, "");
  const generation = generationPattern.exec(info.config.description ?? "")?.[1];
  return generation ? `${created}-${generation}` : created;
}

export function infoOf(info: NatsStreamInfo): StreamInfo {
  const { first_seq: first, last_seq: last } = info.state;
  return { epoch: epochOf(info), first: Math.max(1, first), last };
}

/** Throws for a start sequence outside the stream, which would deliver nothing, or other messages, without an error. */
export function checkPosition(stream: string, info: StreamInfo, seq: number): number {
  if (seq >= info.first && seq <= info.last + 1) return seq;
  throw new StreamPositionLost(`${stream} contains ${info.first} to ${info.last}: it cannot be read from ${seq}`);
}

/** Gives a stream that was restored to an earlier state a new epoch. */
export async function renewEpoch(link: NatsLink, stream: string): Promise<StreamInfo> {
  return link.call(async ({ jsm }) => {
    const { config } = await jsm.streams.info(stream);
    const generation = link.input.clock.now().toString(36);
    const description = (config.description ?? "Rollcall").replace(generationPattern, "");
    return infoOf(await jsm.streams.update(stream, { ...config, description: `${description} (generation ${generation})` }));
  });
}

export async function ensureStream(link: NatsLink, definition: StreamDefinition): Promise<void> {
  checkName(definition.name);
  definition.subjects.forEach(checkPattern);
  const limits = {
    max_age: nanos(definition.maxAgeMs),
    max_bytes: definition.maxBytes ?? -1,
    duplicate_window: nanos(Math.min(definition.duplicateWindowMs, definition.maxAgeMs)),
    num_replicas: link.input.replicas,
  };
  await link.define(`stream ${definition.name}`, async ({ jsm }) => {
    const name = link.named(definition.name);
    const config = { ...limits, subjects: definition.subjects.map((own) => link.subject(own)) };
    try {
      let found = await existing(jsm, name);
      if (found && definition.generation !== undefined && databaseOf(found) !== definition.generation) {
        await jsm.streams.delete(name);
        found = null;
      }
      if (!found) {
        await jsm.streams.add({
          name,
          description: definition.generation === undefined ? "Rollcall" : `Rollcall (database ${definition.generation})`,
          storage: StorageType.File,
          retention: RetentionPolicy.Limits,
          discard: DiscardPolicy.Old,
          ...config,
        });
      } else if (differs(found.config, config)) {
        await jsm.streams.update(name, { ...found.config, ...config });
      }
    } catch (error) {
      throw isTooFewServers(error) ? tooFewServers(link.input.replicas, error) : error;
    }
  });
}

function databaseOf(info: NatsStreamInfo): string | undefined {
  return databasePattern.exec(info.config.description ?? "")?.[1];
}

async function existing(jsm: Connected["jsm"], name: string): Promise<NatsStreamInfo | null> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (isStreamMissing(error)) return null;
    throw error;
  }
}

function differs(have: object, want: Record<string, unknown>): boolean {
  const current = have as Record<string, unknown>;
  return Object.entries(want).some(([key, value]) => JSON.stringify(current[key]) !== JSON.stringify(value));
}

export async function append(
  link: NatsLink,
  subject: string,
  data: Uint8Array,
  id: string,
): Promise<{ seq: number; duplicate: boolean }> {
  checkSubject(subject);
  if (data.byteLength > maxMessageBytes) {
    throw new MessageTooLarge(`a message of ${data.byteLength} bytes on ${subject}: at most ${maxMessageBytes}`);
  }
  return link.call(async ({ js }) => {
    const ack = await js.publish(link.subject(subject), data, { msgID: id });
    return { seq: ack.seq, duplicate: ack.duplicate === true };
  });
}

export function messageOf(link: NatsLink, m: JsMsg): StreamMessage {
  return {
    seq: m.seq,
    subject: link.ownSubject(m.subject),
    id: m.headers?.get("Nats-Msg-Id") ?? "",
    data: m.data,
    at: m.info.timestampNanos ? Math.floor(m.info.timestampNanos / 1e6) : 0,
    attempt: m.info.deliveryCount,
  };
}

/** A consumer without acknowledgements, which the server deletes when it is unused. */
export function ephemeral(start: { seq: number } | "all" | "lastPerSubject") {
  const policy =
    start === "all"
      ? { deliver_policy: DeliverPolicy.All }
      : start === "lastPerSubject"
        ? { deliver_policy: DeliverPolicy.LastPerSubject, filter_subject: ">" }
        : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, start.seq) };
  return {
    name: nuid.next(),
    ack_policy: AckPolicy.None,
    inactive_threshold: nanos(60_000),
    num_replicas: 1,
    mem_storage: true,
    ...policy,
  };
}

export async function read(link: NatsLink, stream: string, fromSeq: number, limit: number): Promise<StreamMessage[]> {
  return link.call(async ({ js, jsm }) => {
    const name = link.named(stream);
    const info = infoOf(await jsm.streams.info(name));
    const from = Math.max(fromSeq, info.first);
    if (from > info.last || limit < 1) return [];
    const consumer = ephemeral({ seq: from });
    const { num_pending: pending } = await jsm.consumers.add(name, consumer);
    const wanted = Math.min(limit, pending);
    const found: StreamMessage[] = [];
    if (wanted > 0) {
      const messages = await (await js.consumers.get(name, consumer.name)).fetch({ max_messages: wanted, expires: 2000 });
      for await (const m of messages) found.push(messageOf(link, m));
    }
    jsm.consumers.delete(name, consumer.name).catch(() => {});
    return found;
  });
}
