import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "list-filter",
	size: 24,
	node: [
		["path", {
			d: "M2 5h20",
			key: "1fs1ex"
		}],
		["path", {
			d: "M6 12h12",
			key: "8npq4p"
		}],
		["path", {
			d: "M9 19h6",
			key: "456am0"
		}]
	]
};
__iconData.node;
const ListFilter = createLucideIcon(__iconData);
export { __iconData, ListFilter as default };
