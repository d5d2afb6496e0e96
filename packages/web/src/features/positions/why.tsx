import { useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconClockPause, IconEyeOff, IconMapPinOff } from "@tabler/icons-react";
import type { OwnPlace } from "@rollcall/server/contract/positions";
import { useText } from "#core/i18n.ts";
import { shortAge } from "#core/time.ts";
import { CopyText } from "#ui/copy.tsx";
import { useServerNow } from "#ui/small.tsx";
import { EmptyState } from "#ui/states.tsx";
import type { Hidden } from "./places.rows.ts";
import classes from "./positions.module.css";

/** What game servers report, as the answer about the own place says. */
type Reports = Pick<OwnPlace, "reports" | "reportedAt">;

const DRIVE = "npx rollcall demo drive";

const ICONS: Readonly<Record<Hidden, typeof IconEyeOff>> = {
  offDuty: IconClockPause,
  unknown: IconMapPinOff,
  hidden: IconEyeOff,
};

/** Nobody is shown because of the viewer's own place: exactly why, and what to do. */
export function WhyNobody({ why, own }: { readonly why: Hidden; readonly own: Reports | undefined }) {
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
          {own && <NoReports own={own} />}
        </div>
      }
    />
  );
}

/** While no game server reports places: why, and how they come. */
export function NoReports({ own: { reports, reportedAt } }: { readonly own: Reports }) {
  const { t } = useText();
  const now = useServerNow(5_000);
  if (reports === "places") return null;
  if (reports !== "demo") {
    const age = reportedAt === null ? "" : shortAge(now - reportedAt);
    return <p className={classes["none"]}>{t(`positions.noReports.${reports}`, { age })}</p>;
  }
  return (
    <p className={classes["none"]}>
      {t("positions.noReports.demo")} <CopyText text={DRIVE} label={t("positions.noReports.command")} />
    </p>
  );
}
