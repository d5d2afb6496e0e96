// The parts of this feature that others may use.
export { ProviderButtons } from "./buttons.tsx";
export { ConnectionsOf } from "./connectionsOf.tsx";
export { OauthOutcomeNote, OauthOutcomeToast } from "./outcome.tsx";
export const loadConnections = async () => await import("./connections.tsx");
