import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "chevron-down",
	size: 24,
	node: [["path", {
		d: "m6 9 6 6 6-6",
		key: "qrunsl"
	}]]
};
__iconData.node;
const ChevronDown = createLucideIcon(__iconData);
export { __iconData, ChevronDown as default };
