import { memo } from "react";
import { useNavigate } from "@tanstack/react-router";
import type { ListAddress } from "#core/search.ts";
import { useSavedAddress } from "#ui/listColumns.ts";
import { SavedViewsButton, type SavedViewsButtonProps } from "./savedViewsButton.tsx";
import type { ListSearch } from "./views.ts";

interface ListViewsProps<Search extends ListAddress> {
  readonly definition: SavedViewsButtonProps["definition"];
  /** Path of the list, as `/citizens`. */
  readonly path: string;
  readonly search: Search;
  /** Id of the record that is open beside the list. */
  readonly selected: number | null;
  /** Checks the address of a view: the list may have changed since it was saved. */
  addressOf(search: ListSearch): Search;
}

function PlainListViews<Search extends ListAddress>(props: ListViewsProps<Search>) {
  const { definition, path, search, selected, addressOf } = props;
  const navigate = useNavigate();
  const saved = useSavedAddress(path, search);
  return (
    <SavedViewsButton
      definition={definition}
      search={Object.fromEntries(Object.entries(search))}
      saved={Object.fromEntries(Object.entries(saved))}
      mayOpen={selected === null}
      onChoose={(chosen, replace) =>
        void navigate({ to: selected === null ? path : `${path}/${selected}`, search: addressOf(chosen), replace })
      }
    />
  );
}

/** The saved views of a list that keeps its filters, order and columns in the address. */
export const ListViews = memo(PlainListViews) as typeof PlainListViews;
