import { useEffect } from "react";
import { useLivePreferences, useUnsavedDisplay } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { showToast } from "#core/toasts.ts";

/** Follows what is chosen on other devices. Renders nothing, so that a message does not render the page again. */
export function FollowPreferences() {
  useLivePreferences();
  const { t } = useText();
  const unsaved = useUnsavedDisplay();
  useEffect(() => {
    if (unsaved === null) return;
    showToast({
      tone: "warning",
      title: t(`preferences.unsaved.${unsaved}.title`),
      text: t(`preferences.unsaved.${unsaved}.text`),
    });
    // Said again in another language only when it happens again.
  }, [unsaved]);
  return null;
}
