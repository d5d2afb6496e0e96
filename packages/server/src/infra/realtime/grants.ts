import type { Access, ErrorDefinition } from "#core/contract/index.ts";
import { realtimeErrors } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { TopicGrant } from "#core/ports/index.ts";
import type { Topic } from "./topics.ts";

/** The viewer of a token, and when it expires. */
export interface Authenticated {
  readonly viewer: Viewer;
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
  const permitted =
    access.kind === "permission"
      ? access.anyOf.some((p) => viewer.rights.has(p))
      : access.kind === "configAdmin"
        ? viewer.configAdmin
        : access.kind === "jobAdmin"
          ? viewer.jobAdmin !== null
          : access.kind !== "sync";
  if (permitted) return null;
  const permissions = access.kind === "permission" ? access.anyOf.join(", ") : access.kind;
  return refusal(realtimeErrors.forbidden, { topic: name, permissions });
}

/** The grant of a viewer on a topic, or the refusal. */
export async function grantOf(
  topic: Topic,
  key: string | null,
  name: string,
  viewer: Viewer,
): Promise<TopicGrant | RefusalMessage> {
  const forbidden = accessRefusal(topic.definition.access, viewer, name);
  if (forbidden) return forbidden;
  try {
    const grant = await topic.binding.authorize(viewer, key);
    return grant ?? refusal(realtimeErrors.unknownTopic, { topic: name });
  } catch (error) {
    if (error instanceof AppError) return { code: error.definition.code, params: { ...error.params } };
    throw error;
  }
}

export function isRefusal(value: TopicGrant | RefusalMessage): value is RefusalMessage {
  return "code" in value;
}
