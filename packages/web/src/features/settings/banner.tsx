import { useState } from "react";
import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle, IconX } from "@tabler/icons-react";
import { settingsTopic } from "@rollcall/server/contract/settings";
import { askAgain, useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { useLive } from "#core/realtime/live.tsx";
import { device } from "#core/storage.ts";
import { useServerNow } from "#ui/small.tsx";
import classes from "./banner.module.css";

const DISMISSED = "banner.dismissed";

/** What the operators want everybody to know, until put away on this device; another text comes back. */
export function SystemBanner() {
  const { t } = useText();
  const banner = useClientConfig()?.banner ?? null;
  const now = useServerNow(30_000);
  const [dismissed, setDismissed] = useState(() => device.read(DISMISSED));
  useLive(settingsTopic, { onEvent: askAgain, onSnapshot: askAgain });
  if (!banner || banner.id === dismissed || (banner.expiresAt !== null && banner.expiresAt <= now)) return null;
  const Icon = banner.tone === "info" ? IconInfoCircle : IconAlertTriangle;
  const dismiss = () => {
    device.write(DISMISSED, banner.id);
    setDismissed(banner.id);
  };
  return (
    <div className={classes["banner"]} data-tone={banner.tone} role="status">
      <Icon size={16} aria-hidden />
      <span>{banner.text}</span>
      <ActionIcon size="sm" onClick={dismiss} aria-label={t("web.frame.dismiss")}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}
