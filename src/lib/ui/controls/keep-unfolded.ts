/**
 * What somebody has unfolded or folded before the script took over stays so: hydration would set it back to what the server
 * has sent. Call before the page is hydrated; the returned function is for afterwards.
 */
export function keepUnfolded(): () => void {
	const folds = [...document.querySelectorAll('details')].map((one) => ({ one, open: one.open }));
	return () => {
		for (const { one, open } of folds) one.open = open;
	};
}
