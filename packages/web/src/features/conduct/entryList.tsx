import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type ConductEntry, useEntries } from "./conduct.queries.ts";
import { type ConductSearch, filterOf } from "./conduct.search.ts";
import { KindTag } from "./kindTag.tsx";
import { stateOf, stateText } from "./stateText.ts";
import classes from "./conduct.module.css";

interface EntryListProps {
  readonly search: ConductSearch;
  /** Said where there is none. */
  readonly nothing: string;
  /** Of the entry that is open beside the list. */
  readonly selected?: number | null;
  /** All are about one person, whose name stands above. */
  readonly ofOne?: boolean;
}

/** Entries of the register, the newest first, each with a link to itself. */
export function EntryList({ search, nothing, selected = null, ofOne = false }: EntryListProps) {
  const { t } = useText();
  const { query, items, total, totalCapped } = useEntries(filterOf(search));
  return (
    <div className={classes["form"]} aria-busy={query.isPlaceholderData}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["70%", "85%", "60%"]} />}
      {query.data && (
        <p className={classes["quiet"]} role="status">
          {items.length === 0 ? nothing : t("conduct.count", { count: total, capped: totalCapped ? "+" : "" })}
        </p>
      )}
      {items.length > 0 && (
        <ul className={classes["list"]} data-entries>
          {items.map((entry) => (
            <li key={entry.id} data-selected={entry.id === selected || undefined}>
              <Row entry={entry} search={search} ofOne={ofOne} />
            </li>
          ))}
        </ul>
      )}
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
    </div>
  );
}

interface RowProps extends Pick<EntryListProps, "search"> {
  readonly entry: ConductEntry;
  readonly ofOne: boolean;
}

function Row({ entry, search, ofOne }: RowProps) {
  const { t } = useText();
  const { id, citizen, kind, tone, points, text, author, releasedAt, createdAt } = entry;
  const { new: _new, ...filters } = search;
  const nameOf = useNamer();
  const job = citizen.job.name;
  return (
    <div className={classes["about"]}>
      <span className={classes["line"]}>
        <Link to="/conduct/$id" params={{ id: String(id) }} search={ofOne ? {} : filters} className={classes["open"]}>
          {ofOne ? kind.name : nameOf(citizen, job)}
        </Link>
        <KindTag kind={kind} tone={tone} />
        <span className="rc-number">{t("conduct.points", { count: points })}</span>
        <span className={classes["state"]} data-state={stateOf(entry)}>
          {stateText(t, entry)}
        </span>
      </span>
      <span className={classes["excerpt"]}>{text}</span>
      <span className={classes["quiet"]}>
        <TimeAgo instant={releasedAt ?? createdAt} />
        {author !== null && ` · ${nameOf(author, job)}`}
      </span>
    </div>
  );
}
