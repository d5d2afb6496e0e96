import { AppError } from "#core/errors.ts";
import { type EventDefinition, guardErrors, socketPath } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Assembly } from "#core/assemble.ts";
import { type EventListener, listenTo, type Ports } from "#core/feature.ts";
import type {
  CharacterRecheck,
  Clock,
  EventMessage,
  Logs,
  ObjectRecheck,
  SecretLinks,
  SocketBinding,
  StatePublisher,
  TopicBinding,
} from "#core/ports/index.ts";
import type { AuthApi, RightsEvent } from "#features/auth/auth.api.ts";
import { linksEnded } from "#features/links/links.contract.ts";
import { presenceTopic } from "#features/realtime/realtime.contract.ts";
import type { LiveSockets } from "#infra/http/live.ts";
import { openFeatureSocket } from "#infra/realtime/feature-sockets.ts";
import { RealtimeHub } from "#infra/realtime/hub.ts";
import { serveSocket } from "#infra/realtime/ws.ts";
import { tracedTopics } from "#infra/telemetry/traced.ts";

/** A socket authenticates with its first message; its address and origin were checked when it was opened. */
const fromSocket = { address: "", userAgent: "", traceId: "" };

export interface Live {
  /** For features, which are created before the hub. */
  readonly state: StatePublisher;
  open(options: {
    readonly ports: Ports;
    readonly auth: AuthApi;
    readonly links: SecretLinks;
    readonly topics: readonly TopicBinding[];
  }): RealtimeHub;
}

/** What the HTTP server mounts: `/api/realtime` and the sockets of features. */
export function liveSockets(hub: RealtimeHub, bindings: readonly SocketBinding[], clock: Clock): LiveSockets {
  const { limits, sessions } = hub;
  return {
    admit: (network) => sessions.admit(network),
    position: () => hub.position,
    serve: (ws, { raw, network }) => serveSocket(ws, raw, limits, (socket) => hub.open(socket, network)),
    sockets: bindings.map((binding) => ({
      path: socketPath(binding.socket),
      frameBytes: binding.socket.frameBytes,
      serve: (ws, { raw, network }, key) =>
        serveSocket(ws, raw, limits, (socket) =>
          openFeatureSocket({ sessions, limits, clock }, binding, key, { socket, network }),
        ),
    })),
  };
}

/** Lets the open connections check their rights again when those may have changed. */
export function rightsListeners(hub: RealtimeHub, events: readonly RightsEvent[], logs: Logs): EventListener[] {
  const log = logs.subsystem("realtime");
  const changed = (cause: string, affected: (viewer: Viewer) => boolean) =>
    void hub.sessions
      .rightsChanged(cause, affected)
      .catch((error: unknown) => log.error({ err: error }, "rights could not be refreshed"));
  return events.map(({ event, affected }, index) => ({
    event,
    onEvent(message) {
      const viewers = affected(message);
      if (viewers !== null) changed(event.id, viewers);
    },
    // Once for all of the events.
    ...(index === 0 ? { onMissed: () => changed("missed", () => true) } : {}),
  }));
}

async function checkedAgain(
  { sessions }: RealtimeHub,
  of: string,
  recheck: ObjectRecheck | CharacterRecheck,
  message: EventMessage<EventDefinition>,
): Promise<void> {
  if ("keysOf" in recheck) {
    const keys = recheck.keysOf(message);
    if (keys?.length !== 0) await sessions.objectsChanged(recheck.event.id, { of, keys });
  } else await Promise.all(recheck.charactersOf(message).map(async (one) => await sessions.characterChanged(of, one)));
}

/** What a change of objects asks of the connections that follow them. All check again when events were missed. */
export function objectListeners(
  hub: RealtimeHub,
  { topics, sockets }: Pick<Assembly, "topics" | "sockets">,
  logs: Logs,
): EventListener[] {
  const log = logs.subsystem("realtime");
  const declared = [
    ...topics.map(({ topic, rechecks = [] }) => ({ of: topic.name, rechecks })),
    ...sockets.map(({ socket, rechecks = [] }) => ({ of: socket.id, rechecks })),
  ];
  return declared.flatMap(({ of, rechecks }) =>
    rechecks.map((recheck) => ({
      event: recheck.event,
      onEvent(message) {
        void checkedAgain(hub, of, recheck, message).catch((error: unknown) =>
          log.error({ err: error }, "the access to objects could not be checked again"),
        );
      },
    })),
  );
}

/** Closes the open connections of links that ended. */
export function linkListener(hub: RealtimeHub, logs: Logs): EventListener {
  const log = logs.subsystem("realtime");
  const check = (cause: string, ids: readonly number[] | null) =>
    void hub.sessions
      .linksChanged(cause, ids)
      .catch((error: unknown) => log.error({ err: error }, "links could not be checked again"));
  return listenTo({
    event: linksEnded,
    onEvent: ({ payload }) => check(linksEnded.id, payload.linkIds),
    onMissed: () => check("missed", null),
  });
}

/** Connects the live transport with sessions and rights. */
export function createLive(): Live {
  let hub: RealtimeHub | null = null;
  return {
    state: {
      publish: (topic, key, data) => hub?.state.publish(topic, key, data),
      touch: (topic, key, decides) => hub?.state.touch(topic, key, decides),
      value: (topic, key) => hub?.state.value(topic, key) ?? null,
      publishedAt: (topic, key) => hub?.state.publishedAt(topic, key) ?? null,
      values: (topic) => hub?.state.values(topic) ?? [],
    },
    open({ ports, auth, links, topics }) {
      hub = new RealtimeHub({
        ...ports,
        links,
        log: ports.logs.subsystem("realtime"),
        bindings: tracedTopics(topics, ports.tracing),
        presence: {
          topic: presenceTopic,
          of: ({ job, characterId, characterName: name, grade }) => ({
            key: `${job}/${characterId}`,
            data: { characterId, name, grade },
          }),
        },
        async authenticate(token) {
          const found = await auth.byToken(token, fromSocket);
          if (found === "expired") throw new AppError(guardErrors.tokenExpired);
          if (found === "invalid") throw new AppError(guardErrors.tokenInvalid);
          return found;
        },
        refresh: async (viewer) => await auth.refresh(viewer),
      });
      return hub;
    },
  };
}
