import { useLivePreferences } from "#core/accountPreferences.ts";

/** Follows what is chosen on other devices. Renders nothing, so that a message does not render the page again. */
export function FollowPreferences() {
  useLivePreferences();
  return null;
}
