import { useQuery } from "@tanstack/react-query";
import { Anchor } from "@mantine/core";
import { IconCircleArrowUp, IconCircleCheck, IconCircleDashed } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { updateStatus } from "@rollcall/server/contract/updates";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./updates.module.css";

type Status = OutputOf<typeof updateStatus>;
type Available = NonNullable<Status["available"]>;

/** The running version, whether there is a newer one, and its release notes. */
export function Release() {
  const { t } = useText();
  const query = useQuery(queryOf(updateStatus, {}));
  return (
    <PanelSection title={t("updates.panel.title")}>
      {query.isPending && <Bars widths={["50%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Found status={query.data} />}
    </PanelSection>
  );
}

function summaryWithoutRelease({ enabled, hasFeed, problem, checkedAt }: Status) {
  if (!enabled) return "off";
  if (!hasFeed) return "noFeed";
  if (checkedAt === null) return "notYet";
  return problem === null ? "current" : "unknown";
}

function Found({ status }: { status: Status }) {
  const { t } = useText();
  const { hasFeed, running, available, problem, checkedAt, knownAt } = status;
  const enabled = status.enabled && hasFeed;
  const isCurrent = enabled && available === null && problem === null && checkedAt !== null;
  const Icon = available ? IconCircleArrowUp : isCurrent ? IconCircleCheck : IconCircleDashed;
  const state = available ? "available" : isCurrent ? "current" : "unknown";
  const summary = available
    ? t("updates.panel.available", { version: available.version, running })
    : t(`updates.panel.${summaryWithoutRelease(status)}`, { running });
  return (
    <div className={classes["line"]} data-state={state}>
      <Icon size={17} aria-hidden />
      <div className={classes["text"]}>
        <div>{summary}</div>
        {enabled && checkedAt !== null && (
          <div className={classes["quiet"]}>
            {t("updates.panel.asked")} <TimeAgo instant={checkedAt} />
            {problem !== null && <> · {t("updates.panel.failed", { problem })}</>}
            {problem !== null && knownAt !== null && (
              <>
                {" "}
                · {t("updates.panel.knownAt")} <TimeAgo instant={knownAt} />
              </>
            )}
          </div>
        )}
        {available && <Notes available={available} />}
      </div>
    </div>
  );
}

/** The notes come from an external feed: they are always rendered as plain text. */
function Notes({ available: { notes, url, publishedAt } }: { available: Available }) {
  const { t } = useText();
  return (
    <>
      {notes !== "" && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
        <pre className={classes["notes"]} role="region" tabIndex={0} aria-label={t("updates.panel.notes")}>
          {notes}
        </pre>
      )}
      <div className={classes["quiet"]}>
        {publishedAt !== null && (
          <>
            {t("updates.panel.published")} <TimeAgo instant={publishedAt} />
          </>
        )}
        {publishedAt !== null && url !== null && " · "}
        {url !== null && (
          <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" underline="always">
            {t("updates.panel.page")}
          </Anchor>
        )}
      </div>
    </>
  );
}
