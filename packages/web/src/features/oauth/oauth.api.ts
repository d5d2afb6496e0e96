// The parts of this feature that others may use.
import { part } from "#core/part.ts";
export { ProviderButtons } from "./buttons.tsx";
export { OauthOutcomeNote, OauthOutcomeToast } from "./outcome.tsx";
// Apart from what the sign-in shows, which would load their libraries too.
export const ConnectionsOf = part<{ readonly accountId: number }>(["account", "frame"], async () => ({
  default: (await import("./connectionsOf.tsx")).ConnectionsOf,
}));
export const Connections = part<object>(["account", "frame"], () => import("./connections.tsx"));
