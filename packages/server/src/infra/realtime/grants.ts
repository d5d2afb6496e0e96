import type { Access, ErrorDefinition } from "#core/contract/index.ts";
import { realtimeErrors } from "#core/contract/index.ts";
import type { LinkActor, Viewer } from "#core/actor.ts";
import { lackOf } from "#core/access-check.ts";
import { AppError } from "#core/errors.ts";
import type { OpenLink, TopicGrant } from "#core/ports/index.ts";
import type { Topic } from "./topics.ts";

/** Somebody with a secret link, on a connection. */
export interface LinkHolder extends LinkActor {
  /** Names of the topics that the link opens. */
  readonly topics: readonly string[];
  /** Milliseconds UTC. */
  readonly expiresAt: number;
}

/** Who a connection belongs to. */
export type Subscriber = Viewer | LinkHolder;

export const isLink = (subscriber: Subscriber): subscriber is LinkHolder => "linkId" in subscriber;

/** A socket says who it is in its first message; its address was checked when it was opened. */
export function holderOf({ linkId, definition, subject, label, expiresAt }: OpenLink): LinkHolder {
  const { id: link, topics } = definition;
  return { linkId, link, subject, label, topics, expiresAt, address: "", traceId: "" };
}

/** Names the account or the link for limits and budgets that its connections share. */
export const ownerOf = (subscriber: Subscriber): string =>
  isLink(subscriber) ? `link ${subscriber.linkId}` : `account ${subscriber.accountId}`;

/** The subscriber of a token or a link, and when it expires. */
export interface Authenticated<S extends Subscriber = Viewer> {
  readonly viewer: S;
  /** Milliseconds UTC. */
  readonly expiresAt: number;
}

export interface RefusalMessage {
  readonly code: string;
  readonly params: Record<string, string | number>;
}

export function refusal(definition: ErrorDefinition, params: Record<string, string | number> = {}): RefusalMessage {
  return { code: definition.code, params };
}

/** Why a viewer may not use the topic or socket `name` at all, or null. */
export function accessRefusal(access: Access, viewer: Viewer, name: string): RefusalMessage | null {
  if (lackOf(access, { account: viewer, viewer }) === null) return null;
  const permissions = access.kind === "permission" ? access.anyOf.join(", ") : access.kind;
  return refusal(realtimeErrors.forbidden, { topic: name, permissions });
}

async function grantOfLink(topic: Topic, key: string | null, name: string, link: LinkHolder): Promise<TopicGrant | null> {
  if (!link.topics.includes(topic.definition.name))
    throw new AppError(realtimeErrors.forbidden, { params: { topic: name, permissions: link.link } });
  return (await topic.binding.authorizeLink?.(link, key)) ?? null;
}

/** The grant of a subscriber on a topic, or the refusal. */
export async function grantOf(
  topic: Topic,
  key: string | null,
  name: string,
  subscriber: Subscriber,
): Promise<TopicGrant | RefusalMessage> {
  const forbidden = isLink(subscriber) ? null : accessRefusal(topic.definition.access, subscriber, name);
  if (forbidden) return forbidden;
  try {
    const grant = isLink(subscriber)
      ? await grantOfLink(topic, key, name, subscriber)
      : await topic.binding.authorize(subscriber, key);
    return grant ?? refusal(realtimeErrors.unknownTopic, { topic: name });
  } catch (error) {
    if (error instanceof AppError) return { code: error.definition.code, params: { ...error.params } };
    throw error;
  }
}

export function isRefusal(value: TopicGrant | RefusalMessage): value is RefusalMessage {
  return "code" in value;
}
