import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "chevron-up",
	size: 24,
	node: [["path", {
		d: "m18 15-6-6-6 6",
		key: "153udz"
	}]]
};
__iconData.node;
const ChevronUp = createLucideIcon(__iconData);
export { __iconData, ChevronUp as default };
