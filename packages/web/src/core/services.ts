import { createApi, type Api } from "#core/api.ts";
import { takingBegun } from "#core/begun.ts";
import { systemClock } from "#core/clock.ts";
import { withText } from "#core/problem.texts.ts";
import { createSession, type Session, type SessionState } from "#core/session/session.ts";
import { device, tab } from "#core/storage.ts";
import { useStore } from "#core/store.ts";
import { fetchTraced } from "#core/tracing.ts";
import { createTransport } from "#core/transport.ts";

export const transport = createTransport(takingBegun(fetchTraced), systemClock, withText);

export const session: Session = createSession({ transport, clock: systemClock, device, tab });

export const api: Api = createApi(transport, session);

export function useSession(): SessionState {
  return useStore(session.state);
}
