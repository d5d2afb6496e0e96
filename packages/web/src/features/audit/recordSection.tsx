import { Link } from "@tanstack/react-router";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { Section } from "#ui/small.tsx";
import { useReadsAudit } from "./readsAudit.ts";
import classes from "./audit.module.css";

/** The way from a citizen's profile to what is recorded about it. */
export default function RecordSection({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const identity = useActiveIdentity();
  const isOwn = citizenId === identity.character.id;
  const seesAll = useReadsAudit();
  if (!isOwn && !seesAll) return null;
  return (
    <Section title={t("audit.record.title")} screenOnly>
      <ul className={classes["record"]}>
        {isOwn && (
          <li>
            <Link to="/notifications/lookups">{t("audit.lookups.title")}</Link>
          </li>
        )}
        {seesAll && (
          <li>
            <Link to="/panel/audit" search={{ targetKind: "citizen", target: String(citizenId) }}>
              {t("audit.record.all")}
            </Link>
          </li>
        )}
      </ul>
    </Section>
  );
}
