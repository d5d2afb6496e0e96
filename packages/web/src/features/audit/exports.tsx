import { useState } from "react";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { auditExport } from "@rollcall/server/contract/audit";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ProblemNote } from "#ui/states.tsx";
import { saveExport } from "./audit.queries.ts";
import { type AuditFilters, queryOfFilters } from "./audit.search.ts";
import classes from "./audit.module.css";

/** What the list shows, as CSV or JSON. */
export function AuditExports({ filters, order }: { filters: AuditFilters; order: string | undefined }) {
  return (
    <ExportButton kind={auditExport} filter={{ ...queryOfFilters(filters), order }}>
      <JsonExport filters={filters} />
    </ExportButton>
  );
}

function JsonExport({ filters }: { filters: AuditFilters }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    await saveExport(filters).catch(setError);
    setBusy(false);
  };
  return (
    <div className={classes["exports"]}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={busy}
        onClick={() => void save()}
      >
        JSON
      </Button>
      {error !== null && <ProblemNote error={error} />}
    </div>
  );
}
