import { useState } from "react";
import { Button } from "@mantine/core";
import { IconPlugConnectedX, IconShieldBolt } from "@tabler/icons-react";
import { leaveJobAdmin } from "@rollcall/server/contract/auth";
import { useActiveIdentity } from "#core/abilities.ts";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { api, session } from "#core/services.ts";
import type { ActiveIdentity } from "#core/session/session.ts";
import { clockTime, shortAge } from "#core/time.ts";
import { useConnectionStatus, useReconnect } from "#core/realtime/live.tsx";
import { useServerNow } from "#ui/small.tsx";
import { NoticeBar } from "#ui/notice.tsx";
import { ProblemNote } from "#ui/states.tsx";

/** Warns that the shown data gets older. Screen readers announce it once, not every second. */
export function ConnectionBanner() {
  const { t } = useText();
  const { state, lastMessageAt } = useConnectionStatus();
  const reconnect = useReconnect();
  return (
    <div role="status">
      {state === "stale" && (
        <NoticeBar icon={IconPlugConnectedX}>
          <span>{t("web.line.staleText")}</span>
        </NoticeBar>
      )}
      {state === "lost" && (
        <NoticeBar icon={IconPlugConnectedX}>
          <span>{lastMessageAt === null ? t("web.line.never") : <Since instant={lastMessageAt} />}</span>
          <Button size="compact-xs" variant="default" onClick={reconnect}>
            {t("web.line.tryNow")}
          </Button>
        </NoticeBar>
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
  const { jobAdmin } = useActiveIdentity();
  return jobAdmin && <Entered key={jobAdmin.until} jobAdmin={jobAdmin} />;
}

function Entered({ jobAdmin }: { jobAdmin: NonNullable<ActiveIdentity["jobAdmin"]> }) {
  const { t, language } = useText();
  const { character } = useActiveIdentity();
  const foreign = jobAdmin.job !== character.job.name;
  const jobLabel = useJobLabels();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

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
    <NoticeBar icon={IconShieldBolt}>
      <span>
        {t("auth.jobAdmin.on", { job, until: clockTime(jobAdmin.until, language) })}{" "}
        {t("auth.jobAdmin.because", { reason: jobAdmin.reason })}
      </span>
      <Button size="compact-xs" variant="default" loading={busy} onClick={() => void leave()}>
        {t("auth.jobAdmin.leave")}
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </NoticeBar>
  );
}
