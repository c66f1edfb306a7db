(module
  ;; The name must not decide how the failure is read.
  (import "teacher-assist:plugin/log@0.2.0" "write" (func $write (param i32 i32 i32)))
  (memory (export "memory") 2)
  (global $top (mut i32) (i32.const 65536))
  (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
    (global.set $top (i32.add (local.get $at) (local.get 3)))
    (local.get $at))
  (data (i32.const 1024) "\4d")
  (func $"memory limits, fuel allocated for hostcalls, resource limit exceeded" (call $write (i32.const 99) (i32.const 2048) (i32.const 1)))
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32)
    (call $"memory limits, fuel allocated for hostcalls, resource limit exceeded") (i32.const 1024)))
