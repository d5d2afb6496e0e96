import { Button } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { JobTag, TimeAgo } from "#ui/small.tsx";
import { ScrollArea } from "#ui/scroll.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { useAccessLog, useAccessLogSeen } from "./audit.queries.ts";
import classes from "./audit.module.css";

/** Who opened the chosen character's profile. */
export default function AccessLogPage() {
  const { t } = useText();
  const query = useAccessLog();
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  useAccessLogSeen(rows[0]?.at ?? null);
  return (
    <ScrollArea className={classes["page"]} label={t("audit.lookups.title")}>
      <div className={classes["column"]}>
        <h1>{t("audit.lookups.title")}</h1>
        <p className={classes["intro"]}>{t("audit.lookups.text")}</p>
        {query.isPending && <Bars widths={["70%", "55%", "60%"]} />}
        {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
        {query.isSuccess && rows.length === 0 && (
          <EmptyState icon={IconEyeOff} title={t("audit.lookups.none.title")} text={t("audit.lookups.none.text")} />
        )}
        <ul className={classes["lookups"]}>
          {rows.map(({ id, at, job, times, name }) => (
            <li key={id}>
              <span className={classes["looker"]}>
                {job === null ? t("audit.lookups.noJob") : <JobTag job={{ name: job, label: "" }} />}
                {name && <span>{name}</span>}
              </span>
              <span className={classes["when"]}>
                {times > 1 && <span>{t("audit.lookups.times", { count: times })}</span>}
                <TimeAgo instant={at} />
              </span>
            </li>
          ))}
        </ul>
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t("audit.lookups.more")}
          </Button>
        )}
      </div>
    </ScrollArea>
  );
}
