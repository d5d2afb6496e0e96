import { useEffect, useState } from "react";
import { Button } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { endSeeAs } from "@rollcall/server/contract/auth";
import { useActiveIdentity } from "#core/abilities.ts";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { api, session, transport } from "#core/services.ts";
import { clockTime } from "#core/time.ts";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./seeAs.module.css";

/** Says that the viewer sees Rollcall as another grade, with a button to end it. */
export function SeeAsBanner() {
  const { t, language } = useText();
  const { seeAs } = useActiveIdentity();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const until = seeAs?.until;

  useEffect(() => {
    if (until === undefined) return;
    return systemClock.after(Math.max(0, until - transport.serverNow()) + 250, () => {
      session.renewRights().catch(() => undefined);
    });
  }, [until]);

  if (!seeAs) return null;
  const stop = async () => {
    setBusy(true);
    setError(null);
    try {
      await api.call(endSeeAs);
      await session.renewRights();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <div className={classes["banner"]}>
      <IconEye size={16} aria-hidden />
      <span>{t("auth.seeAs.on", { grade: seeAs.grade, label: seeAs.gradeLabel, until: clockTime(seeAs.until, language) })}</span>
      <Button size="compact-xs" variant="default" loading={busy} onClick={() => void stop()}>
        {t("auth.seeAs.stop")}
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
}
