import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { PanelSection } from "#ui/panel.tsx";
import { JobTag } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { EntryActions } from "./actions.tsx";
import { useOwnEntries } from "./conduct.queries.ts";
import { EntryFacts } from "./entryFacts.tsx";
import { PointsLine } from "./pointsLine.tsx";
import classes from "./conduct.module.css";

/** What was released about the viewer, and the points. */
export function OwnEntries() {
  const { t } = useText();
  const { query, first, items } = useOwnEntries();
  return (
    <>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "90%", "70%"]} />}
      {first && <PointsLine points={first.points} />}
      {query.data && items.length === 0 && <p className={classes["quiet"]}>{t("conduct.mine.none")}</p>}
      {items.map((entry) => (
        <PanelSection key={entry.id} title={entry.kind.name}>
          <div className={classes["form"]} data-own={entry.id}>
            <JobTag job={entry.citizen.job} />
            <EntryFacts entry={entry} />
            <EntryActions entry={entry} />
          </div>
        </PanelSection>
      ))}
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          className={classes["start"] ?? ""}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("conduct.more")}
        </Button>
      )}
    </>
  );
}
