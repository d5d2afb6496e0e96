import { useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconClockPause, IconEyeOff, IconMapPinOff } from "@tabler/icons-react";
import type { OwnPlace } from "@rollcall/server/contract/positions";
import { useText } from "#core/i18n.ts";
import { CopyText } from "#ui/copy.tsx";
import { EmptyState } from "#ui/states.tsx";
import type { Hidden } from "./places.rows.ts";
import classes from "./positions.module.css";

const DRIVE = "npx rollcall demo drive";

const ICONS: Readonly<Record<Hidden, typeof IconEyeOff>> = {
  offDuty: IconClockPause,
  unknown: IconMapPinOff,
  hidden: IconEyeOff,
};

/** Nobody is shown because of the viewer's own place: exactly why, and what to do. */
export function WhyNobody({ why, reports }: { readonly why: Hidden; readonly reports: OwnPlace["reports"] }) {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={ICONS[why]}
      title={t(`positions.why.${why}.title`)}
      text={t(`positions.why.${why}.text`)}
      action={
        <div className={classes["actions"]}>
          {why === "offDuty" && (
            <Button variant="default" onClick={() => void navigate({ to: "/duty" })}>
              {t("positions.why.toDuty")}
            </Button>
          )}
          <NoReports reports={reports} />
        </div>
      }
    />
  );
}

/** While no game server reports places: how they come. */
export function NoReports({ reports }: { readonly reports: OwnPlace["reports"] }) {
  const { t } = useText();
  if (reports === "game") return null;
  if (reports === "none") return <p className={classes["none"]}>{t("positions.noReports.game")}</p>;
  return (
    <p className={classes["none"]}>
      {t("positions.noReports.demo")} <CopyText text={DRIVE} label={t("positions.noReports.command")} />
    </p>
  );
}
