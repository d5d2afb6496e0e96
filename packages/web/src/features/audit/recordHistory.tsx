import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { Section } from "#ui/small.tsx";
import { useReadsAudit } from "./readsAudit.ts";
import classes from "./audit.module.css";

export interface RecordHistoryProps {
  /** Of the object in the audit log. */
  readonly kind: string;
  readonly id: number;
}

/** The way from a record to what is recorded about it. */
export default function RecordHistory({ kind, id }: RecordHistoryProps) {
  const { t } = useText();
  if (!useReadsAudit()) return null;
  return (
    <Section title={t("audit.record.title")} screenOnly>
      <p className={classes["record"]}>
        <Link to="/panel/audit" search={{ kind, object: String(id) }}>
          {t("audit.record.all")}
        </Link>
      </p>
    </Section>
  );
}
