// minherit(2).
#pragma once
#define VM_INHERIT_NONE ((unsigned int)2)
