import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/index.ts";
import type { Ports } from "#core/feature.ts";
import type { StatePublisher, TopicBinding } from "#core/ports/index.ts";
import type { AuthApi } from "#features/auth/auth.api.ts";
import { presenceTopic } from "#features/realtime/realtime.contract.ts";
import { RealtimeHub } from "#infra/realtime/hub.ts";
import { tracedTopics } from "#infra/telemetry/traced.ts";

/** A socket authenticates by its first message: where it comes from was checked when it was opened. */
const fromSocket = { address: "", userAgent: "", traceId: "" };

export interface Live {
  /** For features, which exist before the hub. */
  readonly state: StatePublisher;
  open(parts: { readonly ports: Ports; readonly auth: AuthApi; readonly topics: readonly TopicBinding[] }): RealtimeHub;
}

/** Ties the live transport to sessions and rights. */
export function createLive(): Live {
  let hub: RealtimeHub | null = null;
  return {
    state: { publish: (topic, key, data) => hub?.state.publish(topic, key, data) },
    open({ ports, auth, topics }) {
      const opened = new RealtimeHub({
        ...ports,
        log: ports.logs.subsystem("realtime"),
        bindings: tracedTopics(topics, ports.tracing),
        online: {
          topic: presenceTopic,
          of: ({ job, characterId, characterName: name, grade }) => ({
            key: `${job}/${characterId}`,
            data: { characterId, name, grade },
          }),
        },
        async authenticate(token) {
          const found = await auth.byToken(token, fromSocket);
          if (found === "expired") throw new AppError(doorErrors.tokenExpired);
          if (found === "invalid") throw new AppError(doorErrors.tokenInvalid);
          return found;
        },
        refresh: async (viewer) => await auth.refresh(viewer),
      });
      const log = ports.logs.subsystem("realtime");
      auth.onRightsChange((concerned) => {
        opened.rightsChanged(concerned).catch((error: unknown) => log.error({ err: error }, "rights could not be asked anew"));
      });
      hub = opened;
      return opened;
    },
  };
}
