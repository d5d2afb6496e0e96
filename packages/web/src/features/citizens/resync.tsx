import { useMutation } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { relativeTime } from "#core/time.ts";
import { Section, useServerNow } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { requestResyncOf, useResync, type Resync } from "./citizens.queries.ts";
import classes from "./citizens.module.css";

/** Interval in which the age of a request is counted. Milliseconds. */
const TICK = 1000;

/** Has the game server send the citizen again, and shows what became of it. */
export function ResyncSection({ citizenId: id }: { readonly citizenId: number }) {
  const { t } = useText();
  const may = useAbilities().has(citizensPermissions.resync);
  const query = useResync(may ? id : null);
  const request = useMutation({
    mutationFn: async () => await requestResyncOf(id),
    onSettled: async () => await query.refetch(),
  });
  if (!may) return null;
  const { data } = query;
  return (
    <Section title={t("citizens.resync.title")} screenOnly>
      {query.isPending && <Bars widths={["60%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {data && (
        <>
          <Outcome resync={data} />
          {!data.connected && <Disconnected lastPolledAt={data.lastPolledAt} />}
          {request.isError && <ProblemNote error={request.error} />}
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={request.isPending}
            disabled={!data.connected}
            onClick={() => request.mutate()}
          >
            {t("citizens.resync.button")}
          </Button>
        </>
      )}
    </Section>
  );
}

/** What became of the last request, or what the button is for. */
function Outcome({ resync: { request } }: { resync: Resync }) {
  const { t, language } = useText();
  const now = useServerNow(TICK);
  if (request === null) return <p className={classes["note"]}>{t("citizens.resync.lead")}</p>;
  const { state, reason, sentAt, endedAt } = request;
  const time = relativeTime(Math.min(endedAt ?? sentAt, now), now, language);
  const known = state === "unknown" && reason !== null ? "unknownReason" : state;
  return (
    <p className={classes["note"]} role="status" data-state={state}>
      {t(`citizens.resync.${known}`, { time, reason: reason ?? "" })}
    </p>
  );
}

function Disconnected({ lastPolledAt }: { lastPolledAt: number | null }) {
  const { t, language } = useText();
  const now = useServerNow(20_000);
  if (lastPolledAt === null) return <p className={classes["note"]}>{t("citizens.resync.never")}</p>;
  const time = relativeTime(Math.min(lastPolledAt, now), now, language);
  return <p className={classes["note"]}>{t("citizens.resync.disconnected", { time })}</p>;
}
