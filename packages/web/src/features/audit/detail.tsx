import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { IconHistoryOff } from "@tabler/icons-react";
import { useText, type Translate } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import type { Language } from "#core/preferences.ts";
import { stringifySearch } from "#core/search.ts";
import { absoluteTime } from "#core/time.ts";
import { CopyText } from "#ui/copy.tsx";
import { DetailStates } from "#ui/detailStates.tsx";
import { Facts, Section, TimeAgo } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { type Entry, useEntry } from "./audit.queries.ts";
import type { AuditFilters } from "./audit.search.ts";
import { changesBetween } from "./changes.ts";
import { Result } from "./columns.tsx";
import { fieldText, infoFacts, valueText } from "./fields.ts";
import { actionText, actorText, type JobLabel, objectText, roleText } from "./texts.ts";
import classes from "./audit.module.css";

const WIDTHS = ["60%", "45%", "70%"];

export function EntryDetails({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useText();
  const query = useEntry(id);
  const entry = query.data;
  const missing = { icon: IconHistoryOff, title: t("audit.missing.title"), text: t("audit.missing.text") };
  return (
    <DetailPane
      title={entry ? actionText(t, entry.action) : t("audit.entry")}
      label={t("audit.detailOf", { id })}
      onClose={onClose}
      under={entry ? <TimeAgo instant={entry.at} /> : null}
    >
      <DetailStates query={query} widths={WIDTHS} missing={missing} />
      {entry && <EntryBody entry={entry} />}
    </DetailPane>
  );
}

function EntryBody({ entry }: { entry: Entry }) {
  const { t, language } = useText();
  const changes = changesBetween(entry.before, entry.after);
  const info = infoFacts(t, language, entry.info, entry.action);
  const jobLabel = useJobLabels();
  return (
    <>
      <Section title={t("audit.sections.what")}>
        <Facts facts={whatFacts(t, language, entry, jobLabel)} />
      </Section>
      {changes.length > 0 && (
        <Section title={t("audit.sections.changes")} count={changes.length}>
          <dl className={classes["changes"]}>
            {changes.map(({ path, before, after }) => (
              <div key={path}>
                <dt>{path === "" ? t("audit.value") : fieldText(t, path, entry.action)}</dt>
                {before !== undefined && (
                  <dd data-side="before">
                    <span className="rc-hidden">{t("audit.before")}</span>
                    <del>{valueText(t, language, path, before, entry.action)}</del>
                  </dd>
                )}
                {after !== undefined && (
                  <dd data-side="after">
                    <span className="rc-hidden">{t("audit.after")}</span>
                    <ins>{valueText(t, language, path, after, entry.action)}</ins>
                  </dd>
                )}
              </div>
            ))}
          </dl>
        </Section>
      )}
      {info.length > 0 && (
        <Section title={t("audit.sections.info")}>
          <Facts facts={info} />
        </Section>
      )}
      <Who entry={entry} />
      <Elsewhere entry={entry} />
    </>
  );
}

const namedText = (name: string | null, ref: string) => (name ? `${name} (${ref})` : ref);

function whatFacts(t: Translate, language: Language, entry: Entry, jobLabel: JobLabel): { label: string; value: ReactNode }[] {
  const facts: { label: string; value: ReactNode }[] = [
    { label: t("audit.columns.at"), value: absoluteTime(entry.at, language) },
    { label: t("audit.columns.result"), value: <Result result={entry.result} times={entry.folded} /> },
  ];
  if (entry.object)
    facts.push({ label: t("audit.columns.object"), value: namedText(entry.object.name, objectText(t, entry.object, jobLabel)) });
  const { object, target } = entry;
  const same = target !== null && object?.kind === target.kind && object.id === String(target.id) && target.name === object.name;
  if (entry.target && !same) {
    const ref =
      entry.target.kind === "citizen"
        ? `CIT-${entry.target.id}`
        : objectText(t, { kind: "account", id: String(entry.target.id) }, jobLabel);
    facts.push({ label: t("audit.columns.target"), value: namedText(entry.target.name, ref) });
  }
  facts.push({ label: t("audit.columns.id"), value: <code>{entry.action}</code> });
  return facts;
}

function Who({ entry }: { entry: Entry }) {
  const { t } = useText();
  const jobLabel = useJobLabels();
  const { actor, address, program, traceId } = entry;
  const optional: (readonly [string, ReactNode])[] = [
    [t("audit.columns.login"), actor.kind === "character" ? actor.name : null],
    [t("audit.columns.job"), actor.job && t("audit.jobAndGrade", { job: jobLabel(actor.job), grade: actor.grade ?? 0 })],
    [t("audit.columns.adminReason"), actor.adminReason],
    [t("audit.columns.seenAs"), actor.seenAs && roleText(t, actor.seenAs, jobLabel)],
    [t("audit.columns.address"), address],
    [t("audit.columns.program"), program],
    [t("web.traceId"), traceId && <CopyText key="trace" text={traceId} label={t("web.traceId")} />],
  ];
  const facts = optional.filter(([, value]) => value !== null && value !== "").map(([label, value]) => ({ label, value }));
  return (
    <Section title={t("audit.sections.who")}>
      <Facts facts={[{ label: t("audit.columns.who"), value: actorText(t, entry) }, ...facts]} />
    </Section>
  );
}

/** Links to all entries of this object, person or address. */
function Elsewhere({ entry }: { entry: Entry }) {
  const { t } = useText();
  const jobLabel = useJobLabels();
  const { actor, object, target, address } = entry;
  const ways: (readonly [string, AuditFilters] | false)[] = [
    object !== null && [
      t("audit.more.object", { object: objectText(t, object, jobLabel) }),
      { kind: object.kind, object: object.id },
    ],
    actor.characterId !== null && [
      t("audit.more.character", { name: actorText(t, entry) }),
      { character: String(actor.characterId) },
    ],
    actor.accountId !== null && [t("audit.more.account", { name: actor.name }), { account: String(actor.accountId) }],
    target !== null && [
      t("audit.more.target", { name: target.name ?? objectText(t, { kind: target.kind, id: String(target.id) }, jobLabel) }),
      { targetKind: target.kind, target: String(target.id) },
    ],
    address !== null && [t("audit.more.address", { address }), { address }],
    [t("audit.more.action"), { action: entry.action }],
  ];
  return (
    <Section title={t("audit.sections.more")}>
      <ul className={classes["ways"]}>
        {ways
          .filter((way) => way !== false)
          .map(([label, filters]) => (
            <li key={label}>
              <Link to={`/panel/audit${stringifySearch({ ...filters })}`}>{label}</Link>
            </li>
          ))}
      </ul>
    </Section>
  );
}
