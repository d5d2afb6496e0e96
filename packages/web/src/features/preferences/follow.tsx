import { useEffect, useEffectEvent } from "react";
import { useLivePreferences, useUnsavedDisplay } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { showToast } from "#core/toasts.ts";

/** Follows what is chosen on other devices. Renders nothing, so that a message does not render the page again. */
export function FollowPreferences() {
  useLivePreferences();
  const { t } = useText();
  const unsaved = useUnsavedDisplay();
  const say = useEffectEvent((why: "waiting" | "refused") =>
    showToast({ tone: "warning", title: t(`preferences.unsaved.${why}.title`), text: t(`preferences.unsaved.${why}.text`) }),
  );
  useEffect(() => {
    if (unsaved !== null) say(unsaved);
  }, [unsaved]);
  return null;
}
