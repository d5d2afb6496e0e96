import { IconClipboardOff } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { DetailStates } from "#ui/detailStates.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { JobTag, Section } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { EntryActions } from "./actions.tsx";
import { useEntry } from "./conduct.queries.ts";
import { EntryFacts } from "./entryFacts.tsx";
import classes from "./conduct.module.css";

const WIDTHS = ["60%", "90%", "70%"];

/** One entry beside the list. */
export function EntryView({ id, onClose }: { readonly id: number; onClose(): void }) {
  const { t } = useText();
  const query = useEntry(id);
  const entry = query.isError ? undefined : query.data;
  const nameOf = useNamer();
  return (
    <DetailPane
      title={entry === undefined ? t("conduct.entry") : nameOf(entry.citizen, entry.citizen.job.name)}
      label={t("conduct.detailOf", { id })}
      onClose={onClose}
      actions={entry && <RecordActions path={`/conduct/${id}`} />}
      under={entry && <JobTag job={entry.citizen.job} />}
    >
      <DetailStates
        query={query}
        widths={WIDTHS}
        missing={{ icon: IconClipboardOff, title: t("conduct.missing.title"), text: t("conduct.missing.text") }}
      />
      {entry && (
        <>
          <div className={entry.may.length > 0 ? classes["pane"] : undefined}>
            <EntryActions entry={entry} onRemoved={onClose} />
          </div>
          <Section title={entry.kind.name}>
            <EntryFacts entry={entry} />
          </Section>
        </>
      )}
    </DetailPane>
  );
}
