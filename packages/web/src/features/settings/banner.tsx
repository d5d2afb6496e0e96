import { useState } from "react";
import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle, IconX } from "@tabler/icons-react";
import { settingsTopic } from "@rollcall/server/contract/settings";
import { missedClientConfig, reloadClientConfig, useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { useLive } from "#core/realtime/live.tsx";
import { device } from "#core/storage.ts";
import { useServerNow } from "#ui/small.tsx";
import classes from "./banner.module.css";

const DISMISSED = "banner.dismissed";

/** The operators' message to all viewers, until dismissed on this device; a new text is shown again. */
export function SystemBanner() {
  const { t } = useText();
  const banner = useClientConfig()?.banner ?? null;
  const now = useServerNow(30_000);
  const [dismissed, setDismissed] = useState(() => device.read(DISMISSED));
  useLive(settingsTopic, { onEvent: reloadClientConfig, onSnapshot: missedClientConfig });
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
