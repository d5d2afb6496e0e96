export { InstallationHeld, namedLocations, namespaceOf, locationOf, replaceClaim } from "./claim.ts";
export { ensureInstallation, assignInstallationId, installationOf } from "./identity.ts";
export { Membership } from "./membership.ts";
export { holdersOf, oldStreams, withSurvey } from "./shared.ts";
export { countedZone, otherZone, rememberZone, saveZone } from "./zone.ts";
