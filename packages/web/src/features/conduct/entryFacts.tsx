import { useText } from "#core/i18n.ts";
import { calendarDay } from "#core/time.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { AttachmentList } from "#features/files/files.api.ts";
import { Facts, Section, TimeAgo } from "#ui/small.tsx";
import type { ConductEntry } from "./conduct.queries.ts";
import { KindTag } from "./kindTag.tsx";
import { stateOf, stateText } from "./stateText.ts";
import classes from "./conduct.module.css";

/** All that an entry says. */
export function EntryFacts({ entry }: { readonly entry: ConductEntry }) {
  const { t, language } = useText();
  const nameOf = useNamer();
  const { citizen, kind, tone, points, text, expiresOn, author, createdAt, releasedAt, acknowledge, acknowledgedAt } = entry;
  const state = (
    <span className={classes["state"]} data-state={stateOf(entry)}>
      {stateText(t, entry)}
    </span>
  );
  return (
    <div className={classes["form"]}>
      <p className={classes["text"]}>{text}</p>
      <AttachmentList files={entry.attachments} />
      <Facts
        facts={[
          { label: t("conduct.kind"), value: <KindTag kind={kind} tone={tone} /> },
          { label: t("conduct.state"), value: state },
          { label: t("conduct.pointsLabel"), value: <span className="rc-number">{points}</span> },
          { label: t("conduct.expiresOn"), value: expiresOn === null ? t("conduct.never") : calendarDay(expiresOn, language) },
          { label: t("conduct.author"), value: author === null ? null : nameOf(author, citizen.job.name) },
          {
            label: t(releasedAt === null ? "conduct.written" : "conduct.released"),
            value: <TimeAgo instant={releasedAt ?? createdAt} />,
          },
          ...(acknowledge && acknowledgedAt !== null
            ? [{ label: t("conduct.acknowledged"), value: <TimeAgo instant={acknowledgedAt} /> }]
            : []),
        ]}
      />
      <Answers entry={entry} />
    </div>
  );
}

function Answers({ entry: { withdrawn, reply } }: { readonly entry: ConductEntry }) {
  const { t } = useText();
  return (
    <>
      {withdrawn !== null && (
        <Section title={t("conduct.withdrawn")}>
          <p className={classes["text"]}>{withdrawn.reason}</p>
          <p className={classes["quiet"]}>
            <TimeAgo instant={withdrawn.at} />
            {withdrawn.by !== null && ` · ${withdrawn.by}`}
          </p>
        </Section>
      )}
      {reply !== null && (
        <Section title={t("conduct.reply.title")}>
          <p className={classes["text"]}>{reply.text}</p>
          <p className={classes["quiet"]}>
            <TimeAgo instant={reply.at} />
          </p>
        </Section>
      )}
    </>
  );
}
