// The parts of this feature that others may use.
export { FollowPreferences } from "./follow.tsx";
export { ListViews } from "./listViews.tsx";
