// The parts of this feature that others may use.
import { part } from "#core/part.ts";
export { ProviderButtons } from "./buttons.tsx";
export { ConnectionsOf } from "./connectionsOf.tsx";
export { OauthOutcomeNote, OauthOutcomeToast } from "./outcome.tsx";
export const Connections = part<object>(["account"], () => import("./connections.tsx"));
