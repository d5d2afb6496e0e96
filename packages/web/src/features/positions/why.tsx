import { useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconClockPause, IconEyeOff, IconMapPinOff } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { EmptyState } from "#ui/states.tsx";
import type { Hidden } from "./places.rows.ts";

const ICONS: Readonly<Record<Hidden, typeof IconEyeOff>> = {
  offDuty: IconClockPause,
  unknown: IconMapPinOff,
  hidden: IconEyeOff,
};

/** Nobody is shown because of the viewer's own place: exactly why, and what to do. */
export function WhyNobody({ why }: { readonly why: Hidden }) {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={ICONS[why]}
      title={t(`positions.why.${why}.title`)}
      text={t(`positions.why.${why}.text`)}
      action={
        why === "offDuty" && (
          <Button variant="default" onClick={() => void navigate({ to: "/duty" })}>
            {t("positions.why.toDuty")}
          </Button>
        )
      }
    />
  );
}
