import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "chevrons-up-down",
	size: 24,
	node: [["path", {
		d: "m7 15 5 5 5-5",
		key: "1hf1tw"
	}], ["path", {
		d: "m7 9 5-5 5 5",
		key: "sgt6xg"
	}]]
};
__iconData.node;
const ChevronsUpDown = createLucideIcon(__iconData);
export { __iconData, ChevronsUpDown as default };
