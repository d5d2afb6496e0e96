import { useState } from "react";
import { Button } from "@mantine/core";
import { IconPlugConnectedX, IconShieldBolt } from "@tabler/icons-react";
import { leaveJobAdmin } from "@rollcall/server/contract/auth";
import { useActiveIdentity } from "#core/abilities.ts";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { api, session } from "#core/services.ts";
import { clockTime, shortAge } from "#core/time.ts";
import { useConnectionStatus, useReconnect } from "#core/realtime/live.tsx";
import { useServerNow } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import classes from "./frame.module.css";

/** Warns that the shown data gets older. Screen readers announce it once, not every second. */
export function ConnectionBanner() {
  const { t } = useText();
  const { state, lastMessageAt } = useConnectionStatus();
  const reconnect = useReconnect();
  return (
    <div role="status">
      {state === "stale" && (
        <div className={classes["notice"]}>
          <IconPlugConnectedX size={16} aria-hidden />
          <span>{t("web.line.staleText")}</span>
        </div>
      )}
      {state === "lost" && (
        <div className={classes["notice"]}>
          <IconPlugConnectedX size={16} aria-hidden />
          <span>{lastMessageAt === null ? t("web.line.never") : <Since instant={lastMessageAt} />}</span>
          <Button size="compact-xs" variant="default" onClick={reconnect}>
            {t("web.line.tryNow")}
          </Button>
        </div>
      )}
    </div>
  );
}

function Since({ instant }: { instant: number }) {
  const { t } = useText();
  useServerNow(5_000);
  return <span>{t("web.line.lost", { age: shortAge(systemClock.now() - instant) })}</span>;
}

/** Job admin is on: who, why, until when, and a button to leave it. */
export function AdminBanner() {
  const { t, language } = useText();
  const { jobAdmin, character } = useActiveIdentity();
  const foreign = jobAdmin !== null && jobAdmin.job !== character.job.name;
  const jobLabel = useJobLabels();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  if (!jobAdmin) return null;

  const job = foreign ? jobLabel(jobAdmin.job) : character.job.label;
  const leave = async () => {
    setBusy(true);
    try {
      await api.call(leaveJobAdmin);
      await session.renewRights();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };

  return (
    <div className={classes["notice"]}>
      <IconShieldBolt size={16} aria-hidden />
      <span>
        {t("auth.jobAdmin.on", { job, until: clockTime(jobAdmin.until, language) })}{" "}
        {t("auth.jobAdmin.because", { reason: jobAdmin.reason })}
      </span>
      <Button size="compact-xs" variant="default" loading={busy} onClick={() => void leave()}>
        {t("auth.jobAdmin.leave")}
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
}
